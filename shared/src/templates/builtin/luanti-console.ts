/** Where the mod writes the list of players, relative to the data folder. */
export const PLAYER_LIST = 'world/lodge_players.json'

/**
 * Luanti's server does not read its standard input. This script starts it with a mod that does:
 * input lines go through a file to the mod, which runs them as commands of the administrator and
 * prints the responses. The mod also keeps the list of players, which Luanti reports only to its
 * public server list.
 */
export const LUANTI_LAUNCHER = `#!/bin/sh
set -eu
mod="$HOME/world/worldmods/lodge_console"
inbox="$HOME/world/lodge_console.in"
mkdir -p "$mod"
: > "$inbox"
cat > "$mod/mod.conf" <<'CONF'
name = lodge_console
description = Runs what is typed into the console of the server.
CONF
cat > "$mod/init.lua" <<'LUA'
local inbox = core.get_worldpath() .. "/lodge_console.in"
local admin = core.settings:get("name") or "admin"
local asking = false
local position = 0
local rest = ""

local function answer(text)
  for line in (core.get_translated_string("en", tostring(text)) .. "\\n"):gmatch("(.-)\\n") do
    core.log("action", "[console] " .. core.strip_colors(line))
  end
end

-- Many commands answer the player who asked.
local send = core.chat_send_player
function core.chat_send_player(name, text)
  if asking and name == admin then answer(text) end
  return send(name, text)
end

-- Whoever may type here may do everything, also before the administrator has played for the first time.
local check = core.check_player_privs
function core.check_player_privs(name, ...)
  if asking and name == admin then return true, {} end
  return check(name, ...)
end
local privileges_of = core.get_player_privs
function core.get_player_privs(name)
  if not (asking and name == admin) then return privileges_of(name) end
  local all = {}
  for privilege in pairs(core.registered_privileges) do all[privilege] = true end
  return all
end

core.register_chatcommand("say", {
  params = "<message>",
  description = "Say something to everybody as the server",
  privs = { server = true },
  func = function(_, text)
    core.chat_send_all("<Server> " .. text)
    return true, "<Server> " .. text
  end,
})

core.register_chatcommand("players", {
  description = "Who is here",
  func = function()
    local names = {}
    for _, player in ipairs(core.get_connected_players()) do
      names[#names + 1] = player:get_player_name()
    end
    table.sort(names)
    if #names == 0 then return true, "Nobody is here." end
    return true, #names .. " here: " .. table.concat(names, ", ")
  end,
})

local function run(line)
  local name, param = line:match("^/?(%S+)%s*(.*)$")
  if not name then return end
  local command = core.registered_chatcommands[name]
  if not command then
    return answer("There is no command " .. name .. ". Type help to see all, or say to talk to the players.")
  end
  asking = true
  local done, ok, text = pcall(command.func, admin, param)
  asking = false
  if not done then return answer(name .. " failed: " .. tostring(ok)) end
  if text and text ~= "" then return answer(text) end
  if ok == false then return answer("Usage: " .. name .. " " .. (command.params or "")) end
  answer("Done.")
end

local function keep_players()
  local names = {}
  for _, player in ipairs(core.get_connected_players()) do
    names[#names + 1] = player:get_player_name()
  end
  core.safe_file_write(core.get_worldpath() .. "/lodge_players.json", core.write_json({
    online = #names,
    most = tonumber(core.settings:get("max_users")) or 15,
    names = #names > 0 and names or nil,
  }))
end

local kept = 5
core.register_globalstep(function(passed)
  kept = kept + passed
  if kept < 5 then return end
  kept = 0
  keep_players()
end)

local waited = 0
core.register_globalstep(function(passed)
  waited = waited + passed
  if waited < 0.2 then return end
  waited = 0
  local file = io.open(inbox, "rb")
  if not file then return end
  file:seek("set", position)
  local text = file:read("*a") or ""
  file:close()
  if text == "" then return end
  position = position + #text
  rest = rest .. text
  for line in rest:gmatch("(.-)\\n") do run(line) end
  rest = rest:match("[^\\n]*$")
end)
LUA
exec 3<&0
while IFS= read -r line; do printf '%s\\n' "$line" >> "$inbox"; done <&3 &
exec /usr/games/minetestserver "$@" </dev/null
`
