--[[
Appends a piece of a draft, if its delivery is still the newest of the task.
KEYS[1] run:{id}:state   KEYS[2] run:{id}:draft
ARGV[1] task id   ARGV[2] fence   ARGV[3] text   ARGV[4] TTL (ms)
Returns 1, or 0 if the delivery is not the newest or has reported, the task is closed or the run is gone.
Starts given back are added, so that the number in the stream grows with every delivery and voids earlier text.
]]
local held = redis.call('HMGET', KEYS[1], 'fence:' .. ARGV[1], 'starts:' .. ARGV[1], 'handed:' .. ARGV[1])
if held[1] ~= ARGV[2] or tonumber(held[2] or 0) == 0 then return 0 end
redis.call('XADD', KEYS[2], '*', 't', ARGV[1], 's', held[2] + (held[3] or 0), 'd', ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return 1
