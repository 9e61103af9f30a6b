--[[
Orders the runs of tenants by start-time fair queueing. A turn is the position of a run in this order.
A turn begins at the end of the last turn of the same tenant and class, but not before the turn served now. The length
of a turn is its cost divided by its weight. The turn served now is the earliest turn that waits in any queue. If no
turn waits, the turn served now is the last turn that was given.
KEYS[1] turns:{lane}   then for each queue of the lane (a set of queues): the key of its prioritized jobs
ARGV[1] turns per priority   ARGV[2] lowest priority   ARGV[3] time after the last turn until KEYS[1] expires (ms)
ARGV[4] and following, five for each tenant and class (of questions): its name   the number of consecutive turns to take
the length of each turn   the position of the run in its turn: '0' for the beginning, '1' for the end
the maximum distance from the turn served now, or '' for no limit
Returns the turn served now, followed by one value for each tenant and class: the first turn that was taken, or
{'behind', distance} if the distance exceeds the maximum.
'base' is the turn with priority 1. It changes only while all queues are empty, so that all waiting jobs have the same
base. The script derives the keys of BullMQ's other lists from KEYS. This works on a cluster, because all these keys are
in the same slot.
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
