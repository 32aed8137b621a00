//! Heavy results -> smaller texts.
pub struct Request;
impl Request {
    pub fn of(_: serde_json::Value) -> Request {
        Request
    }
}
pub fn run(_: &Request, _: &crate::ask::Facts) -> Result<crate::job::Done, Vec<crate::ask::Ask>> {
    Ok(crate::job::Done::pass("not-concerned"))
}
