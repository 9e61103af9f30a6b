--[[
Appends text to a draft, if this job delivery is still the newest one of its task. A job delivery is one attempt to run
a task.
KEYS[1] run:{id}:state   KEYS[2] run:{id}:draft
ARGV[1] task id   ARGV[2] fence (the token of this job delivery)   ARGV[3] text
ARGV[4] time after which the draft expires (ms)
Returns 1, or 0 if this job delivery is not the newest, if it has reported its end, if the task is closed, or if the run
is gone.
Each text is stored with the number of all starts of the task, including starts that were subtracted from the count.
This number grows with each job delivery. Text with a larger number replaces the text of earlier job deliveries.
]]
local held = redis.call('HMGET', KEYS[1], 'fence:' .. ARGV[1], 'starts:' .. ARGV[1], 'handed:' .. ARGV[1])
if held[1] ~= ARGV[2] or tonumber(held[2] or 0) == 0 then return 0 end
redis.call('XADD', KEYS[2], '*', 't', ARGV[1], 's', held[2] + (held[3] or 0), 'd', ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return 1
