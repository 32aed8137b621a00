//! # `unbounded-walk`
//!
//! **What it stops.** `find` from `/` or the home folder without a depth.
//!
//! **Why.** It walks the whole machine: long, and mostly other projects.
//!
//! **Example.** `find / -name '*.conf'`
//!
//! **Instead.** A narrower start, or `-maxdepth`.
//!
//! **When it stays quiet.** With `-maxdepth`, behind a bound or a filter, and when a second of walking shows that it
//! prints little.

use super::{Check, Scene, output_hit, step, unmeasured_hit};
use crate::intent::{Intent, Output};
use crate::outcome::Why;

pub fn check(intent: &Intent, scene: &Scene) -> Check {
    let Intent::List { names, roots, out } = intent else {
        return Check::No(Why::NotConcerned);
    };
    if scene.config.every_listing && !names.is_empty() && names.iter().all(|name| scene.config.is_source(name)) {
        return every_listing(names, roots, out, scene);
    }
    let Some(root) = roots.iter().find(|root| is_top(root)) else {
        return Check::No(Why::NotConcerned);
    };
    if !out.is_open() {
        return Check::No(if out.doubt { Why::Doubt } else { Why::NotConcerned });
    }
    let mut out = out.clone();
    if root.starts_with('~')
        && let Some((_, argv, _)) = &mut out.measure
    {
        let place = step!(scene.place());
        let Some(home) = place.home else {
            return Check::No(Why::UnknownFact);
        };
        for word in argv.iter_mut().filter(|word| word.starts_with('~')) {
            word.replace_range(..1, &home);
        }
    }
    let measured = step!(scene.measured(&out, roots));
    let what = format!("`find {root}` without a depth");
    let way = "a narrower folder, or `-maxdepth 3`, shows less.";
    output_hit(scene, measured, format!("walk:{root}"), &what, way)
}

/// Under `every.listing`: any listing of source files whose output reaches the model, whatever its size.
fn every_listing(names: &[String], roots: &[String], out: &Output, scene: &Scene) -> Check {
    if out.piped || out.writes || out.doubt {
        return Check::No(if out.doubt { Why::Doubt } else { Why::NotConcerned });
    }
    for root in roots {
        step!(scene.inside(root));
    }
    let way = "a folder or a name without wildcards narrows it, and `| head -n 50` bounds it.";
    unmeasured_hit(scene, format!("list:{}", names.join("\n")), "this lists source files.", way)
}

/// The top of the machine or the home folder.
pub fn is_top(root: &str) -> bool {
    let bare = root.trim_end_matches(['/', '.']);
    bare.is_empty() && root.starts_with('/') || bare == "~"
}
