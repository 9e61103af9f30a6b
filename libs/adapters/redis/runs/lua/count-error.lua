--[[
Counts an error of a job delivery that still owns its task, but at most one error per job delivery.
Resets the number of starts, because a start without a report looks like a crash, and this job delivery has reported.
KEYS[1] run:{id}:state
ARGV[1] task id   ARGV[2] fence
Returns the number of errors so far, or nil if another job delivery has the fence.
]]
local task = ARGV[1]
local held = redis.call('HMGET', KEYS[1], 'fence:' .. task, 'starts:' .. task, 'erred:' .. task, 'errors:' .. task)
if held[1] ~= ARGV[2] then return nil end
if held[3] == ARGV[2] then return tonumber(held[4]) end
redis.call('HSET', KEYS[1], 'erred:' .. task, ARGV[2], 'starts:' .. task, 0)
redis.call('HINCRBY', KEYS[1], 'handed:' .. task, held[2] or 0)
return redis.call('HINCRBY', KEYS[1], 'errors:' .. task, 1)
