//! The allocator of the core: small blocks that were given back are kept by size and given out again, the rest is talc's.
//! A parse takes and returns thousands of them. For wasm only, where one thread runs; invariant: knows nothing of what is
//! in a block.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::ptr::null_mut;

use talc::wasm::{WasmDynamicTalc, new_wasm_dynamic_allocator};

/// Sizes are kept in steps of so many bytes, which is also the largest alignment of a kept block.
const STEP: usize = 16;
/// The largest size that is kept has so many steps.
const STEPS: usize = 32;

pub struct Blocks {
    talc: WasmDynamicTalc,
    /// The first free block of each size; a free block begins with the address of the next.
    free: UnsafeCell<[*mut u8; STEPS + 1]>,
}

impl Blocks {
    pub const fn new() -> Blocks {
        Blocks { talc: new_wasm_dynamic_allocator(), free: UnsafeCell::new([null_mut(); STEPS + 1]) }
    }

    // Seldom needed, and not to stand in every place that allocates.
    #[cold]
    #[inline(never)]
    fn fresh(&self, layout: Layout) -> *mut u8 {
        unsafe { self.talc.alloc(layout) }
    }
}

// SAFETY: wasm32 without threads has one thread.
unsafe impl Sync for Blocks {}

/// How many steps a block has; `None` = it is talc's.
fn steps(layout: Layout) -> Option<usize> {
    let steps = layout.size().div_ceil(STEP);
    (steps <= STEPS && layout.align() <= STEP).then_some(steps)
}

// SAFETY: a block is in one list or in use, never both; each list holds blocks of its own size, made with the alignment
// of all kept blocks.
unsafe impl GlobalAlloc for Blocks {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(steps) = steps(layout) else {
            return self.fresh(layout);
        };
        let first = unsafe { &mut (*self.free.get())[steps] };
        if first.is_null() {
            return self.fresh(unsafe { Layout::from_size_align_unchecked(steps * STEP, STEP) });
        }
        let block = *first;
        *first = unsafe { block.cast::<*mut u8>().read() };
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let Some(steps) = steps(layout) else {
            return unsafe { self.talc.dealloc(block, layout) };
        };
        let first = unsafe { &mut (*self.free.get())[steps] };
        unsafe { block.cast::<*mut u8>().write(*first) };
        *first = block;
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        match (steps(layout), steps(new)) {
            (None, None) => unsafe { self.talc.realloc(block, layout, size) },
            (old, new) if old == new => block,
            _ => unsafe {
                let moved = self.alloc(new);
                if !moved.is_null() {
                    block.copy_to_nonoverlapping(moved, layout.size().min(size));
                    self.dealloc(block, layout);
                }
                moved
            },
        }
    }
}
