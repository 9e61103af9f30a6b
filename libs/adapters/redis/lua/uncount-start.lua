--[[
Gives a start back: the delivery hands its task on and lets go of the fence.
KEYS[1] run:{id}:state
ARGV[1] task id   ARGV[2] fence
Returns 1, or 0 when the fence is not ours.
]]
local task = ARGV[1]
local held = redis.call('HMGET', KEYS[1], 'fence:' .. task, 'starts:' .. task)
if held[1] ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[1], 'fence:' .. task)
if tonumber(held[2] or 0) > 0 then
  redis.call('HINCRBY', KEYS[1], 'starts:' .. task, -1)
  redis.call('HINCRBY', KEYS[1], 'handed:' .. task, 1)
end
return 1
