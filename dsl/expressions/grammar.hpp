// SPDX-License-Identifier: Apache-2.0
// The grammar of expressions. No rule backtracks over a token once an operator or a bracket has committed it, so a
// syntax error is reported at the first token that cannot continue.
#pragma once

#include <tao/pegtl.hpp>

namespace kdiag::grammar {

namespace p = tao::pegtl;

// --- Blanks and words ---------------------------------------------------------------------------------------------

struct comment : p::seq<p::one<'#'>, p::until<p::eolf>> {};
struct gap : p::star<p::sor<p::one<' ', '\t', '\r', '\n'>, comment>> {};

/// Alternatives all of which begin with `First`: what begins otherwise is not tried as one after another.
template <class First, class... Alternatives>
struct from : p::seq<p::at<First>, p::sor<Alternatives...>> {};

/// A rule and the blanks behind it.
template <class Rule>
struct token : p::seq<Rule, gap> {};

struct kw_and : TAO_PEGTL_KEYWORD("and") {};
struct kw_or : TAO_PEGTL_KEYWORD("or") {};
struct kw_not : TAO_PEGTL_KEYWORD("not") {};
struct kw_in : TAO_PEGTL_KEYWORD("in") {};
struct kw_if : TAO_PEGTL_KEYWORD("if") {};
struct kw_then : TAO_PEGTL_KEYWORD("then") {};
struct kw_else : TAO_PEGTL_KEYWORD("else") {};
struct kw_where : TAO_PEGTL_KEYWORD("where") {};
struct kw_select : TAO_PEGTL_KEYWORD("select") {};
struct kw_during : TAO_PEGTL_KEYWORD("during") {};
struct kw_as : TAO_PEGTL_KEYWORD("as") {};
struct kw_true : TAO_PEGTL_KEYWORD("true") {};
struct kw_false : TAO_PEGTL_KEYWORD("false") {};
struct kw_group : TAO_PEGTL_KEYWORD("group") {};  // `group` and `by` are names elsewhere: comms.group is a column
struct kw_by : TAO_PEGTL_KEYWORD("by") {};
struct kw_is : TAO_PEGTL_KEYWORD("is") {};  // `is` and `known` are names elsewhere
struct kw_known : TAO_PEGTL_KEYWORD("known") {};
struct reserved : from<p::one<'a', 'd', 'e', 'f', 'i', 'n', 'o', 's', 't', 'w'>, kw_and, kw_or, kw_not, kw_in, kw_if,
                       kw_then, kw_else, kw_where, kw_select, kw_during, kw_as, kw_true, kw_false> {};
struct name : p::seq<p::not_at<reserved>, p::identifier> {};

// --- Literals -----------------------------------------------------------------------------------------------------

struct digits : p::plus<p::digit> {};
struct decimal
    : p::seq<digits, p::opt<p::one<'.'>, digits>, p::opt<p::one<'e', 'E'>, p::opt<p::one<'+', '-'>>, digits>> {};
/// `GB/s` is one unit; in `4us/s` the unit is `us` and `s` a name.
struct rate_unit
    : p::seq<p::opt<p::one<'K', 'M', 'G', 'T', 'P'>>, p::opt<p::one<'i'>>,
             p::sor<TAO_PEGTL_STRING("FLOP"), p::one<'B'>>, TAO_PEGTL_STRING("/s"), p::not_at<p::identifier_other>> {};
struct unit : p::sor<rate_unit, p::identifier, p::one<'%'>> {};
struct number : p::seq<decimal, p::opt<unit>> {};

struct string_char : p::sor<p::seq<p::one<'\\'>, p::not_one<'\n', '\r'>>, p::not_one<'\n', '\r'>> {};
struct string_rest : p::until<p::one<'"'>, string_char> {};
struct string_open : p::one<'"'> {};
struct string : p::if_must<string_open, string_rest> {};

struct regex_rest : p::seq<p::until<p::one<'/'>, string_char>, p::star<p::identifier_other>> {};
struct regex_open : p::one<'/'> {};
struct regex : p::if_must<regex_open, regex_rest> {};

struct boolean : p::sor<kw_true, kw_false> {};
struct param_name : p::identifier {};
struct param : p::if_must<p::one<'$'>, param_name> {};

// --- Paths, calls, brackets -----------------------------------------------------------------------------------------

struct query;
struct expr;
struct comma : token<p::one<','>> {};

struct call_open : p::one<'('> {};
struct call_close : p::one<')'> {};
struct call : p::seq<token<call_open>, p::sor<token<call_close>, p::seq<p::must<query>, p::star<comma, p::must<query>>,
                                                                        p::must<token<call_close>>>>> {};
struct name_ref : name {};
struct path : p::seq<token<name_ref>, p::opt<call>> {};

struct list_open : p::one<'['> {};
struct list_close : p::one<']'> {};
struct list : p::seq<token<list_open>, p::sor<token<list_close>, p::seq<p::must<query>, p::star<comma, p::must<query>>,
                                                                        p::must<token<list_close>>>>> {};

struct group_open : p::one<'('> {};
struct group_close : p::one<')'> {};
struct parenthesised : p::seq<token<group_open>, p::must<query>, p::must<token<group_close>>> {};

struct if_begin : kw_if {};
struct conditional : p::seq<token<if_begin>, p::must<expr>, p::must<token<kw_then>>, p::must<expr>,
                            p::must<token<kw_else>>, p::must<expr>> {};

struct no_operand : p::failure {};
struct word : from<p::identifier_first, token<boolean>, conditional, path> {};
struct operand : p::sor<word, token<number>, token<string>, token<param>, list, parenthesised, p::must<no_operand>> {};
struct member_name : p::identifier {};
struct member : p::seq<token<p::one<'.'>>, p::must<token<member_name>>> {};
struct postfix : p::seq<operand, p::star<member>> {};

// --- Operators, from the tightest to the loosest --------------------------------------------------------------------

struct unary;
struct minus_sign : p::one<'-'> {};
struct negation : p::seq<token<minus_sign>, unary> {};
struct unary : p::sor<negation, postfix> {};

struct multiply : p::seq<token<p::one<'*'>>, unary> {};
struct divide : p::seq<token<p::one<'/'>>, unary> {};
struct product : p::seq<unary, p::star<p::sor<multiply, divide>>> {};

struct plus : p::seq<token<p::one<'+'>>, product> {};
struct minus : p::seq<token<p::one<'-'>>, product> {};
struct sum : p::seq<product, p::star<p::sor<plus, minus>>> {};

struct intersect : p::seq<token<p::seq<p::one<'&'>, p::not_at<p::one<'&'>>>>, sum> {};
struct unite : p::seq<token<p::seq<p::one<'|'>, p::not_at<p::one<'|'>>>>, sum> {};
struct set : p::seq<sum, p::star<p::sor<intersect, unite>>> {};

struct equal : p::seq<token<TAO_PEGTL_STRING("==")>, set> {};
struct not_equal : p::seq<token<TAO_PEGTL_STRING("!=")>, set> {};
struct less_equal : p::seq<token<TAO_PEGTL_STRING("<=")>, set> {};
struct greater_equal : p::seq<token<TAO_PEGTL_STRING(">=")>, set> {};
struct less : p::seq<token<p::one<'<'>>, set> {};
struct greater : p::seq<token<p::one<'>'>>, set> {};
struct in : p::seq<token<kw_in>, set> {};
struct not_in : p::seq<token<kw_not>, p::must<token<kw_in>>, set> {};
struct pattern : p::sor<token<regex>, token<param>> {};
struct matches : p::seq<token<TAO_PEGTL_STRING("=~")>, p::must<pattern>> {};
struct not_matches : p::seq<token<TAO_PEGTL_STRING("!~")>, p::must<pattern>> {};
struct comparison_sign : p::sor<TAO_PEGTL_STRING("=="), TAO_PEGTL_STRING("!="), TAO_PEGTL_STRING("=~"),
                                TAO_PEGTL_STRING("!~"), p::one<'<', '>'>, kw_in> {};
struct not_chained : p::not_at<comparison_sign> {};
struct compared : from<p::one<'=', '!', '<', '>', 'i', 'n'>, equal, not_equal, less_equal, greater_equal, less, greater,
                       in, not_in, matches, not_matches> {};
struct comparison : p::seq<set, p::opt<compared, p::must<not_chained>>> {};

struct is_state : p::sor<kw_known, kw_true, kw_false> {};
struct is_not_state : is_state {};
struct is
    : p::seq<token<kw_is>, p::sor<p::seq<token<kw_not>, p::must<token<is_not_state>>>, p::must<token<is_state>>>> {};

struct negated;
struct condition : p::seq<p::sor<negated, comparison>, p::opt<is>> {};
struct not_sign : kw_not {};
struct negated : p::seq<token<not_sign>, condition> {};

struct and_begin : p::success {};
struct conjunction : p::seq<and_begin, condition, p::star<token<kw_and>, condition>> {};
struct or_begin : p::success {};
struct disjunction : p::seq<or_begin, conjunction, p::star<token<kw_or>, conjunction>> {};
/// `x if c`, which binds loosest of all.
struct given : p::seq<token<kw_if>, p::must<disjunction>> {};
struct expr : p::seq<disjunction, p::opt<given>> {};

// --- Queries --------------------------------------------------------------------------------------------------------

struct alias_name : name {};
struct alias : p::seq<token<kw_as>, p::must<token<alias_name>>> {};
struct where : p::seq<token<kw_where>, expr> {};
struct during : p::seq<token<kw_during>, postfix> {};

struct named_open : p::one<'('> {};
struct named_close : p::one<')'> {};
struct named_begin : p::success {};
struct key_name : p::seq<token<p::identifier>, p::one<'='>, p::not_at<p::one<'=', '~'>>> {};
struct key : p::seq<named_begin, p::opt<token<key_name>>, expr> {};
struct keys : p::seq<p::must<token<named_open>>, key, p::star<comma, key>, p::must<token<named_close>>> {};
struct column_name : p::identifier {};
struct column_equals : p::seq<p::one<'='>, p::not_at<p::one<'=', '~'>>> {};
struct column : p::seq<named_begin, p::must<token<column_name>>, p::must<token<column_equals>>, expr> {};
struct selection : p::seq<p::must<token<named_open>>, column, p::star<comma, column>, p::must<token<named_close>>> {};

struct group_select : p::seq<token<kw_select>, selection> {};
struct group_plain : p::success {};
struct group : p::seq<token<kw_group>, token<kw_by>, keys, p::sor<group_select, group_plain>> {};
struct select : p::seq<token<kw_select>, selection> {};

struct query : p::seq<expr, p::star<from<p::one<'a', 'w', 'g', 's', 'd'>, alias, where, group, select, during>>> {};

struct whole : p::seq<gap, query, p::must<p::eof>> {};
struct whole_regex : p::seq<gap, p::must<token<regex>>, p::must<p::eof>> {};

}  // namespace kdiag::grammar
