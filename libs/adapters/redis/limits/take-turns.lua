--[[
Gives runs that are asked their places in the order in which tenants take turns: start-time fair queueing.
A run begins where its tenant's last one of its class ends, or at the turn that is served now, whichever is later; it ends its cost, divided by
its weight, behind that. Served now is the first turn that waits in any queue, and where none waits the last that was given.
KEYS[1] turns:{lane}   then for each queue of the lane: prioritized
ARGV[1] turns to a priority   ARGV[2] lowest priority   ARGV[3] how long all of it is kept after the last turn (ms)
  then for each tenant and class: its name   how many turns it takes, one behind the other   the cost of each divided by the weight
  its place in a turn: '0' at the beginning, '1' at the end   how far the tenant may be behind what is served now, '' for any distance
Returns what is served now, then for each the first of its turns, or {'behind', by how much} where it is further behind than it may be, and
takes none.
'base' is the turn that has the first priority. It moves only while no job is in any queue, so that all priorities count from one base;
the lists that are looked at then stand beside the prioritized jobs, in the same slot.
]]
local turnsPerPriority, lowest, keptMs = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local half = 0x100000000
local held = redis.call('HMGET', KEYS[1], 'base', 'now', 'last')
local base, now, last = tonumber(held[1] or 0), tonumber(held[2] or 0), tonumber(held[3] or 0)

local first
for i = 2, #KEYS do
  local head = redis.call('ZRANGE', KEYS[i], 0, 0, 'WITHSCORES')
  if head[2] then
    local turn = (tonumber(head[2]) / half - 1) * turnsPerPriority + base
    first = math.min(first or turn, turn)
  end
end
now = math.max(now, first or last)

local function isEmpty()
  for i = 2, #KEYS do
    local queue = string.gsub(KEYS[i], 'prioritized$', '')
    if redis.call('EXISTS', queue .. 'wait', queue .. 'delayed', queue .. 'active') > 0 then return false end
  end
  return true
end
if not first and (now - base) / turnsPerPriority > lowest / 2 and isEmpty() then
  base = math.floor(now)
  redis.call('HSET', KEYS[1], 'base', string.format('%.0f', base))
end

local replies = { string.format('%.4f', now) }
for i = 4, #ARGV, 5 do
  local name, count, cost, may = 'of:' .. ARGV[i], tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2]), tonumber(ARGV[i + 4])
  local from = math.max(now, tonumber(redis.call('HGET', KEYS[1], name) or 0))
  if may and from - now > may then
    replies[#replies + 1] = { 'behind', string.format('%.4f', from - now) }
  else
    local turn = from + tonumber(ARGV[i + 3]) * cost
    last = math.max(last, turn + (count - 1) * cost)
    redis.call('HSET', KEYS[1], name, string.format('%.4f', from + count * cost))
    replies[#replies + 1] = string.format('%.4f', turn)
  end
end
redis.call('HSET', KEYS[1], 'now', string.format('%.4f', now), 'last', string.format('%.4f', last))
redis.call('PEXPIRE', KEYS[1], keptMs)
return replies
