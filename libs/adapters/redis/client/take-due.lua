--[[
Takes the runs that are due for a look, by moving their next look ahead: two takers never get the same run.
KEYS[1] runs:open:<lane>, or documents:open
ARGV[1] limit   ARGV[2] next look, in ms from now
Returns {now, the run ids}.
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
for _, id in ipairs(due) do redis.call('ZADD', KEYS[1], now + ARGV[2], id) end
return { now, due }
