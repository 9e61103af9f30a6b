--[[
Finds the parked runs (runs that wait for a review) that match all search words. A search word matches every word that
begins with it. The desk list is the list of all parked runs.
KEYS[1] runs:parked:{tenant}:vocabulary
ARGV[1] prefix of the keys of words, in the same slot. Each key contains the members of the desk list with this word.
ARGV[2] maximum number of words that one search word may match
ARGV[3 ...] the search words
Returns the matching members of the desk list.
]]
local found
for i = 3, #ARGV do
  local words = redis.call('ZRANGEBYLEX', KEYS[1], '[' .. ARGV[i], '[' .. ARGV[i] .. '\255', 'LIMIT', 0, ARGV[2])
  if #words == 0 then return {} end
  local sets = {}
  for n, word in ipairs(words) do sets[n] = ARGV[1] .. word end
  local members = redis.call('SUNION', unpack(sets))
  if found then
    local both = {}
    for _, member in ipairs(members) do
      if found[member] then both[member] = true end
    end
    found = both
  else
    found = {}
    for _, member in ipairs(members) do found[member] = true end
  end
end
local all = {}
for member in pairs(found or {}) do all[#all + 1] = member end
return all
