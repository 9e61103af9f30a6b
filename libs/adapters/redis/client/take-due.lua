--[[
Takes the due members of a due queue, which is a sorted set of members with due times. Postpones these members, so that
no other caller takes them at the same time.
KEYS[1] runs:open:<lane>, documents:open and similar
ARGV[1] maximum number of members   ARGV[2] the time after which the taken members are due again (ms)
Returns the current time (ms) and the taken members.
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
for _, id in ipairs(due) do redis.call('ZADD', KEYS[1], now + ARGV[2], id) end
return { now, due }
