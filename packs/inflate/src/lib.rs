//! Unpacks zlib data: the module in Claude Code has nothing of its own for that, and the packs ship packed.
//!
//! Invariant: data that is cut, changed, too large or of another kind has an empty answer.

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

/// The largest pack that `scripts/build.mjs` makes.
const MAX_BYTES: usize = 4_000_000;

pub fn unpack(packed: &[u8]) -> Vec<u8> {
    decompress_to_vec_zlib_with_limit(packed, MAX_BYTES).unwrap_or_default()
}

trimtab_abi::export!(unpack);
