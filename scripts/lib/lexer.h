// Included before every C file that is compiled for wasm32: cuts a grammar's lexer into single steps. What is read is the same.
// A lexer is one loop over a switch of hundreds of states, and clang 19 compares every block of a loop with every other when it makes wasm of
// it (WebAssemblyFixIrreducibleControlFlow): PowerShell's lexer took more than 228 s of processor time and 5.7 GB and was not done, Bash's 71 s.
// With a state as one call, and the loop outside of it, they take 6 s and 5 s.
#if __has_include("tree_sitter/parser.h")
#include "tree_sitter/parser.h"

#pragma clang diagnostic ignored "-Wundefined-internal"
#pragma clang diagnostic ignored "-Wunused-function"

// A lexer does not call itself, and wasm has one thread.
static bool trimtab_accepts;

// A step gives 0 at its end, else one more than where it goes on: twice the state, and 1 where the character is skipped.
static bool trimtab_lex(uint32_t (*step)(TSLexer *, TSStateId), TSLexer *lexer, TSStateId state) {
  uint32_t next;
  trimtab_accepts = false;
  while ((next = step(lexer, state))) {
    state = (TSStateId)((next - 1) >> 1);
    lexer->advance(lexer, (next - 1) & 1);
  }
  return trimtab_accepts;
}

// A grammar switches optimisation off for its lexer, so that compilers are done. Every session loads the core, so there the steps of Bash's
// are compiled for room all the same: 78 KB instead of 210. For the largest grammars that takes clang minutes.
#ifdef TRIMTAB_SMALL_LEXER
#define TRIMTAB_STEP __attribute__((minsize))
#else
#define TRIMTAB_STEP
#endif

#undef START_LEXER
#define START_LEXER()  \
  UNUSED               \
  bool eof = false;    \
  int32_t lookahead = lexer->lookahead;

#define GO_ON(state_value, skips) return ((uint32_t)(state_value) << 1 | skips) + 1;

#undef ADVANCE
#define ADVANCE(state_value) GO_ON(state_value, 0)
#undef SKIP
#define SKIP(state_value) GO_ON(state_value, 1)

#undef ADVANCE_MAP
#define ADVANCE_MAP(...)                                             \
  {                                                                  \
    static const uint16_t map[] = { __VA_ARGS__ };                   \
    for (uint32_t i = 0; i < sizeof(map) / sizeof(map[0]); i += 2) { \
      if (map[i] == lookahead) GO_ON(map[i + 1], 0)       \
    }                                                                \
  }

#undef ACCEPT_TOKEN
#define ACCEPT_TOKEN(symbol_value)     \
  trimtab_accepts = true;              \
  lexer->result_symbol = symbol_value; \
  lexer->mark_end(lexer);

#undef END_STATE
#define END_STATE() return 0;

// The grammar defines `bool ts_lex(...)`, which becomes the step, with another type; where it only names `ts_lex`, it gets the loop.
TRIMTAB_STEP static uint32_t ts_lex_step(TSLexer *, TSStateId);
TRIMTAB_STEP static uint32_t ts_lex_keywords_step(TSLexer *, TSStateId);
static bool ts_lex(TSLexer *lexer, TSStateId state) { return trimtab_lex(ts_lex_step, lexer, state); }
static bool ts_lex_keywords(TSLexer *lexer, TSStateId state) { return trimtab_lex(ts_lex_keywords_step, lexer, state); }
#define ts_lex(lexer, state) trimtab_unused(void); static uint32_t ts_lex_step(lexer, state)
#define ts_lex_keywords(lexer, state) trimtab_unused(void); static uint32_t ts_lex_keywords_step(lexer, state)

#endif
