// SPDX-License-Identifier: Apache-2.0
// Ways to damage an input. Each changes the bytes in place by the choices it is given.
#pragma once

#include <string>
#include <string_view>

#include "tests/robustness/mutation/choices.hpp"
#include "tests/robustness/mutation/inputs.hpp"

namespace kdiag::mutation {

/// Bytes: changed, inserted, removed, repeated, moved, whatever they mean.
void mutate_bytes(std::string& bytes, Choices& choices);

/// Text: numbers beyond every range, hostile names, fields and lines that are swapped, repeated or missing, brackets
/// without a partner.
void mutate_text(std::string& text, Choices& choices);

/// A database: values beyond every range or of another type, rows repeated or missing, columns and tables gone. It
/// stays a database that SQLite reads; bytes that are none remain as they were.
void mutate_database(std::string& bytes, Choices& choices);

/// Protocol Buffers: fields repeated, moved or missing, numbers beyond every range, lengths that lie.
void mutate_wire(std::string& bytes, Choices& choices);

/// Whether the bytes are fields of Protocol Buffers up to the last one.
bool is_message(std::string_view bytes);

/// By the structure of the input, one to four times.
void mutate_structure(std::string& bytes, Structure structure, Choices& choices);

/// A text made larger by repeating runs of its lines (or the whole, of one line), up to so many bytes.
void repeat_lines(std::string& text, std::size_t size, Choices& choices);

/// Numbers as text at and beyond the ends of what integers, doubles and times can be.
std::string_view extreme_number(Choices& choices);
/// Texts that terminals, HTML, Markdown, CSV, SQL or a decoder may take for more than a text.
std::string_view hostile_text(Choices& choices);

}  // namespace kdiag::mutation
