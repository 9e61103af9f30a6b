--[[
Adds a parked run to its tenant's desk list, or removes it. Idempotent.
KEYS[1] runs:parked:{tenant}:rows   KEYS[2] :groups   KEYS[3] :deadline   KEYS[4] :age   KEYS[5] :risk
ARGV[1] member: run id and task id   ARGV[2] its row, or '' to remove it
ARGV[3] its group   ARGV[4 ... 6] its scores in deadline, age and risk
Publishes a changed or removed row on the channel named as the rows. A new row is announced by its commit.
A row begins with its group and a line break, so that the group's count follows a replaced or removed row.
]]
local held = redis.call('HGET', KEYS[1], ARGV[1])
local row = ARGV[2] ~= '' and ARGV[3] .. '\n' .. ARGV[2]
if held == row then return end
if held then
  local group = string.match(held, '^[^\n]*')
  if redis.call('HINCRBY', KEYS[2], group, -1) <= 0 then redis.call('HDEL', KEYS[2], group) end
end
if row then
  redis.call('HSET', KEYS[1], ARGV[1], row)
  redis.call('HINCRBY', KEYS[2], ARGV[3], 1)
  for i = 3, 5 do redis.call('ZADD', KEYS[i], ARGV[i + 1], ARGV[1]) end
else
  redis.call('HDEL', KEYS[1], ARGV[1])
  for i = 3, 5 do redis.call('ZREM', KEYS[i], ARGV[1]) end
end
if held then redis.call('PUBLISH', KEYS[1], '') end
