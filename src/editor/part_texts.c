/* SPDX-License-Identifier: BSD-3-Clause
 * Is a text one part of a declaration, no more and no less? It is read alone, in a statement made for it, which must then have that
 * part and no other: so nothing else of the model can be changed by it. */
#include <string.h>

#include "editor/parts.h"
#include "language/lexer.h"

static bool is_blank_text(const char *text, uint32_t begin, uint32_t end) {
  while (begin < end && strchr(" \t\r\n\f\v", text[begin])) begin++;
  return begin == end;
}

static bool has_comment(const HbgTree *tree) {
  for (int32_t i = 0; i < tree->token_count; i++)
    if (!is_blank_text(tree->text, hbg_tree_blank(tree, i), tree->tokens[i].span.begin)) return true;
  return false;
}

static const char *excerpt(const HbgView *view, const char *text) {
  enum { LONGEST = 60 };
  return strlen(text) <= LONGEST ? text : hbg_print(view->arena, "%.*s...", LONGEST, text);
}

const char *hbg_piece_refusal(const HbgView *view, const char *before, const char *text, const char *after,
                              const char *what, bool (*fits)(const HbgTree *tree, HbgTreeNode statement)) {
  HbgDiagnostics diagnostics = hbg_diagnostics(view->arena);
  const char *whole = hbg_print(view->arena, "submodel A { }\nmodel M {\n%s%s%s\n}\n", before, text, after);
  const HbgTree tree = hbg_parse(whole, (uint32_t)strlen(whole), view->arena, &diagnostics);
  const HbgTreeNode model = hbg_tree_child(&tree, tree.root, 1);
  if (has_comment(&tree))
    return hbg_print(view->arena, "`%s` holds a comment: comments are written in the text of the model",
                     excerpt(view, text));
  if (diagnostics.error_count) {
    const HbgDiagnostic *first = &diagnostics.list[0];
    return hbg_print(view->arena, "`%s` cannot be read: %s%s%s", excerpt(view, text), first->message,
                     first->help ? "; " : "", first->help ? first->help : "");
  }
  const HbgTreeNode statement = model ? hbg_tree_child(&tree, model, 0) : 0;
  const bool is_one = hbg_tree_child_count(&tree, tree.root) == 2 && hbg_tree_child_count(&tree, model) == 1 &&
                      (fits ? fits(&tree, statement) : hbg_tree_kind(&tree, statement) == HBG_NODE_SETTING);
  return is_one ? NULL : hbg_print(view->arena, "`%s` is more, or less, than %s", excerpt(view, text), what);
}

/* ---- the statements that are made for it ---- */

static HbgTreeNode only_child(const HbgTree *tree, HbgTreeNode node) {
  return hbg_tree_child_count(tree, node) == 1 ? hbg_tree_child(tree, node, 0) : 0;
}

static HbgNodeKind only_part(const HbgTree *tree, HbgTreeNode statement) {
  const HbgTreeNode declaration = only_child(tree, statement);
  return hbg_tree_kind(tree, declaration ? only_child(tree, declaration) : 0);
}

static bool fits_arguments(const HbgTree *tree, HbgTreeNode statement) {
  return only_part(tree, statement) == HBG_NODE_ARGUMENTS;
}
static bool fits_control(const HbgTree *tree, HbgTreeNode statement) {
  return only_part(tree, statement) == HBG_NODE_CONTROL;
}
static bool fits_domain(const HbgTree *tree, HbgTreeNode statement) {
  return only_part(tree, statement) == HBG_NODE_DOMAIN;
}
static bool fits_law(const HbgTree *tree, HbgTreeNode statement) {
  return only_part(tree, statement) == HBG_NODE_LAW || only_part(tree, statement) == HBG_NODE_LAW_BLOCK;
}

static bool fits_start(const HbgTree *tree, HbgTreeNode statement) {
  const HbgTreeNode declaration = only_child(tree, statement);
  HbgTreeNode child = declaration ? hbg_tree_child(tree, declaration, 0) : 0;
  if (!child) return false;
  for (; child; child = tree->nodes[child].next_sibling)
    if (hbg_tree_kind(tree, child) != HBG_NODE_START) return false;
  return true;
}

static bool fits_value(const HbgTree *tree, HbgTreeNode statement) {
  const HbgTreeNode declaration = only_child(tree, statement);
  if (!declaration) return false;
  const HbgTreeNode second = hbg_tree_child(tree, declaration, 1);
  const int32_t count = hbg_tree_child_count(tree, declaration);
  return count == 1 || (count == 2 && hbg_tree_kind(tree, second) == HBG_NODE_UNIT_OF);
}

static bool fits_one(const HbgTree *tree, HbgTreeNode statement) { return only_child(tree, statement) != 0; }

static const char *refuse_value(const HbgView *view, HbgNodeKind kind, const char *text) {
  static const char what[] = "one value";
  switch (kind) {
    case HBG_NODE_SETTING: return hbg_piece_refusal(view, "stop ", text, "", what, fits_one);
    case HBG_NODE_TABLE: return hbg_piece_refusal(view, "table x = ", text, "", what, fits_one);
    case HBG_NODE_DATA: return hbg_piece_refusal(view, "data x = ", text, "", what, fits_one);
    case HBG_NODE_CLOCK: return hbg_piece_refusal(view, "clock x = ", text, "", what, fits_value);
    default: return hbg_piece_refusal(view, "signal x = ", text, "", what, fits_value);
  }
}

/* ---- kinds ---- */

/* "R", "Clutch", "el.Diode": names joined by points. */
static bool is_path(const HbgTree *tree) {
  for (int32_t i = 0; i + 1 < tree->token_count; i++)
    if (i % 2 == 0 ? tree->tokens[i].kind != HBG_TOKEN_NAME : !token_is_symbol(tree, &tree->tokens[i], "."))
      return false;
  return tree->token_count > 1 && tree->token_count % 2 == 0;
}

static const char *refuse_kind(const HbgView *view, HbgTreeNode node, const char *text) {
  HbgTree tree = {.text = text, .length = (uint32_t)strlen(text)};
  hbg_lex(&tree, view->arena);
  const bool is_digit = !strcmp(text, "0") || !strcmp(text, "1");
  switch (hbg_tree_kind(view->tree, node)) {
    case HBG_NODE_SIGNAL:
      return !strcmp(text, "signal") || !strcmp(text, "block")
                 ? NULL
                 : "a signal is written `signal`, or, as a symbol of a block diagram, `block`";
    case HBG_NODE_PORT:
      return is_digit ? NULL : "a port that is a junction has the kind 0 or 1; one that hands a bond on has none";
    case HBG_NODE_ELEMENT:
      if (is_digit) return NULL;
      break;
    default: break;
  }
  return is_path(&tree) && !has_comment(&tree)
             ? NULL
             : hbg_print(view->arena, "`%s` is no kind of elements and no name of a submodel", excerpt(view, text));
}

const char *hbg_part_refusal(const HbgView *view, HbgTreeNode node, HbgPart part, const char *text) {
  const HbgNodeKind kind = hbg_tree_kind(view->tree, node);
  const HbgPartPlace place = hbg_part_place(view->tree, node, HBG_PART_ARGUMENTS);
  const bool has_domain = !place.is_possible; /* of junctions and ports */
  switch (part) {
    case HBG_PART_KIND: return refuse_kind(view, node, text);
    case HBG_PART_ARGUMENTS:
      return hbg_piece_refusal(view, "R x(", text, ")", "what stands in one pair of parentheses", fits_arguments);
    case HBG_PART_LAW:
      if (has_domain) return hbg_piece_refusal(view, "0 x : ", text, "", "the name of one domain", fits_domain);
      return hbg_piece_refusal(view, *text == '{' ? "R x " : "R x: ", text, "", "one law, as in `e = 2*f`", fits_law);
    case HBG_PART_START:
      return hbg_piece_refusal(view, "C x start ", text, "", "one initial value, as in `f = 2 [m/s]`", fits_start);
    case HBG_PART_CONTROL:
      return hbg_piece_refusal(view, "0 x by ", text, "", "one machine, as in `Contact(gap)`", fits_control);
    case HBG_PART_VALUE: return refuse_value(view, kind, text);
    default: return strpbrk(text, "\"\r\n") ? "a description is one line without quotes" : NULL;
  }
}
