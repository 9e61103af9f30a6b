--[[
Subtracts starts of a task and releases the fence of the task. A job delivery calls this if it returns the task to the
queue or will retry the task later, because a start that stays counted looks like a crash.
KEYS[1] run:{id}:state
ARGV[1] task id   ARGV[2] fence   ARGV[3] 'own' for the start of this job delivery, 'all' for every start
Returns 1, or 0 if another job delivery has the fence.
]]
local task = ARGV[1]
local held = redis.call('HMGET', KEYS[1], 'fence:' .. task, 'starts:' .. task)
if held[1] ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[1], 'fence:' .. task)
local starts = tonumber(held[2] or 0)
local given = ARGV[3] == 'all' and starts or math.min(starts, 1)
redis.call('HSET', KEYS[1], 'starts:' .. task, starts - given)
redis.call('HINCRBY', KEYS[1], 'handed:' .. task, given)
return 1
