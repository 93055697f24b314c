//===- scanner.c - lines and blocks of Kern for tree-sitter ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the tokens of which no text consists: the end of a line, and the begin
// and the end of a block. They lie, empty, before the blanks that follow; the
// same blanks are looked at again for the next one.
//
//===----------------------------------------------------------------------===//
#include "tree_sitter/parser.h"

#include <stdlib.h>
#include <string.h>

enum { NEWLINE, INDENT, DEDENT, RECOVERING };

enum { MOST_BLOCKS = 250, TAB_STOP = 8 };

/// The columns in which the open blocks begin; the file's, 0, is not kept.
typedef struct {
  unsigned depth;
  uint16_t columns[MOST_BLOCKS];
} Blocks;

void *tree_sitter_kern_external_scanner_create(void) {
  return calloc(1, sizeof(Blocks));
}

void tree_sitter_kern_external_scanner_destroy(void *payload) { free(payload); }

unsigned tree_sitter_kern_external_scanner_serialize(void *payload,
                                                     char *buffer) {
  const Blocks *blocks = (const Blocks *)payload;
  unsigned size = blocks->depth * (unsigned)sizeof(uint16_t);
  memcpy(buffer, blocks->columns, size);
  return size;
}

void tree_sitter_kern_external_scanner_deserialize(void *payload,
                                                   const char *buffer,
                                                   unsigned length) {
  Blocks *blocks = (Blocks *)payload;
  blocks->depth = length / (unsigned)sizeof(uint16_t);
  if (length)
    memcpy(blocks->columns, buffer, length);
}

static void skip(TSLexer *lexer) { lexer->advance(lexer, true); }

/// Passes over blanks, comments and joined lines. Whether a line ended on the
/// way, or the file; `column` is then where the next line with text begins.
static bool passLineEnd(TSLexer *lexer, unsigned *column) {
  bool ended = false;
  *column = 0;
  for (;;) {
    switch (lexer->lookahead) {
    case ' ':
      ++*column;
      break;
    case '\t':
      *column = (*column / TAB_STOP + 1) * TAB_STOP;
      break;
    case '\f':
      *column = 0;
      break;
    case '\r':
    case '\n':
      ended = true;
      *column = 0;
      break;
    case '#':
      while (lexer->lookahead != '\n' && lexer->lookahead != '\r' &&
             !lexer->eof(lexer))
        skip(lexer);
      continue;
    case '\\':
      // Joined to the next line, or no blank at all.
      skip(lexer);
      if (lexer->lookahead == '\r')
        skip(lexer);
      if (lexer->lookahead != '\n')
        return ended;
      break;
    default:
      if (!lexer->eof(lexer))
        return ended;
      *column = 0;
      return true;
    }
    skip(lexer);
  }
}

static bool found(TSLexer *lexer, TSSymbol token) {
  lexer->result_symbol = token;
  return true;
}

bool tree_sitter_kern_external_scanner_scan(void *payload, TSLexer *lexer,
                                            const bool *valid) {
  Blocks *blocks = (Blocks *)payload;
  if (valid[RECOVERING])
    return false; // after an error every token is valid: no guesses
  lexer->mark_end(lexer);
  unsigned column;
  if (!passLineEnd(lexer, &column))
    return false;
  if (valid[NEWLINE])
    return found(lexer, NEWLINE);
  unsigned here = blocks->depth ? blocks->columns[blocks->depth - 1] : 0;
  // Where a block could end a statement begins: an indent there is a mistake,
  // and to be seen as one.
  if ((valid[INDENT] || valid[DEDENT]) && column > here &&
      blocks->depth < MOST_BLOCKS) {
    blocks->columns[blocks->depth++] = (uint16_t)column;
    return found(lexer, INDENT);
  }
  if (valid[DEDENT] && column < here) {
    --blocks->depth;
    return found(lexer, DEDENT);
  }
  return false;
}
