//! What every pack exports: `take` makes room for a request, `run` gives the address of its answer.
//!
//! `take(len)` gives the address at which the host writes `len` bytes. `run()` answers them and gives the address of the
//! answer, whose length stands in the four bytes before it, little endian. Both addresses hold until the next `take`.
//!
//! Invariant: imports nothing from the host. Keeps nothing of a request but its room, and no address from outside is ever followed.

use std::cell::RefCell;

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

thread_local! {
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

const LENGTH_BYTES: usize = 4;

/// Exports a function from bytes to bytes as the pack. Once in a crate.
#[macro_export]
macro_rules! export {
    ($run:expr) => {
        #[cfg(target_arch = "wasm32")]
        #[unsafe(no_mangle)]
        pub extern "C" fn take(len: usize) -> *mut u8 {
            $crate::take(len)
        }

        #[cfg(target_arch = "wasm32")]
        #[unsafe(no_mangle)]
        pub extern "C" fn run() -> *const u8 {
            $crate::run($run)
        }
    };
}

/// The same for a function from text to text; what is no UTF-8 in the request becomes U+FFFD.
#[macro_export]
macro_rules! export_text {
    ($run:expr) => {
        $crate::export!(|request: &[u8]| {
            let run: fn(&str) -> String = $run;
            run(&String::from_utf8_lossy(request)).into_bytes()
        });
    };
}

/// Makes room for a request of so many bytes and gives its address.
pub fn take(len: usize) -> *mut u8 {
    // Before the room is made, so that a large answer and a large request need not lie side by side.
    ANSWER.take();
    REQUEST.with_borrow_mut(|request| {
        *request = vec![0; len];
        request.as_mut_ptr()
    })
}

/// Answers the request that was written and gives the address of the answer.
pub fn run(answer: impl FnOnce(&[u8]) -> Vec<u8>) -> *const u8 {
    let text = answer(&REQUEST.take());
    ANSWER.with_borrow_mut(|kept| {
        let length = u32::try_from(text.len()).expect("the memory of wasm32 has no more bytes than that");
        kept.extend(length.to_le_bytes());
        kept.extend(text);
        kept[LENGTH_BYTES..].as_ptr()
    })
}
