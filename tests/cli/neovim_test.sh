#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Neovim, set up as docs/editors.md says, with `kdiag lsp`: mistakes, values, names, a new name, layout, a remedy.
# Usage: neovim_test.sh KDIAG EXAMPLES; skipped (77) where there is no Neovim.
set -euo pipefail
command -v nvim >/dev/null || exit 77
kdiag=$(realpath "$1") examples=$(realpath "$2") docs=$(realpath "$(dirname "$0")/../../docs")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ln -s "$kdiag" "$folder/kdiag"
sed -n '/^```lua/,/^```/{/^```/d;p}' "$docs/editors.md" >"$folder/init.lua"
cat >"$folder/busy.yaml" <<'RULE'
kdiag: 1
pack: {name: team}
rules:
- rule: team.busy
  title: The device is busy
  summary: Kernels run.
  for_each: device
  let:
    share: busy(kernels) / run.wall
  when: share>50%
  impact: spans(kernls)
RULE
cat >"$folder/drive.lua" <<'LUA'
local out = io.open(vim.env.RESULT, "w")
local function say(what, value) out:write(what, ": ", tostring(value), "\n") end
local function ask(method, more)
  local params = vim.tbl_extend("force", vim.lsp.util.make_position_params(), more or {})
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000) or {}
  for _, answer in pairs(answers) do return answer.result end
end
local function has(code)
  for _, one in ipairs(vim.diagnostic.get(0)) do if one.code == code then return true end end
  return false
end
local ok, why = pcall(function()
  vim.wait(20000, function() return has("K302") end)
  say("mistake", has("K302"))
  local whole = {start = {line = 10, character = 0}, ["end"] = {line = 11, character = 0}}
  local fixes = ask("textDocument/codeAction", {range = whole, context = {diagnostics = {}}})
  vim.lsp.util.apply_workspace_edit(fixes[1].edit, "utf-16")
  say("mended", vim.fn.getline(11))
  vim.wait(20000, function() return not has("K302") end)
  say("mistake", has("K302"))
  vim.fn.cursor(10, 10)
  local hover = ask("textDocument/hover").contents.value
  say("value", hover:match("GPU 0: [%d.]+ %%") ~= nil)
  say("declared", ask("textDocument/definition").range.start.line)
  vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", {newName = "part"}), "utf-16")
  say("renamed", vim.fn.getline(9) .. vim.fn.getline(10))
  local edits = ask("textDocument/formatting", {options = {tabSize = 2, insertSpaces = true}})
  vim.lsp.util.apply_text_edits(edits, 0, "utf-16")
  say("layout", vim.fn.getline(10))
  vim.fn.cursor(10, 10)
  local words = {}
  for _, item in ipairs(ask("textDocument/completion")) do words[item.label] = true end
  say("offered", words["part"])
end)
if not ok then say("failed", why) end
out:close()
vim.cmd("qa!")
LUA
cd "$folder"
PATH=$folder:$PATH RESULT=$folder/result KDIAG_TRACE=$examples/traces/item_storm.json XDG_CACHE_HOME=$folder XDG_DATA_HOME=$folder \
  XDG_STATE_HOME=$folder XDG_CONFIG_HOME=$folder timeout 120 nvim --headless -u init.lua busy.yaml -c 'luafile drive.lua' >log 2>&1 || true
diff - result <<'WANTED' || { cat log; exit 1; }
mistake: true
mended:   impact: spans(kernels)
mistake: false
value: true
declared: 8
renamed:     part: busy(kernels) / run.wall  when: part>50%
layout:   when: part > 50%
offered: true
WANTED
