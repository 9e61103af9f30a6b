--[[
Begins a job delivery, which is one attempt to run a task. Stores the fence of the job delivery, a token that lets only
the newest job delivery write. Counts a start. If the connection breaks before the reply, the same job delivery calls
this script again. Its start is then counted only once.
KEYS[1] run:{id}:state
ARGV[1] task id   ARGV[2] fence   ARGV[3] '1' if the caller runs in isolation
ARGV[4] the version that the caller knows, or ''   ARGV[5] the trace span of this job delivery, or ''
Returns {'gone', now}, {'closed', now, version, run, policy},
{'suspect', now, starts} if an earlier job delivery never reported its end and the caller is not isolated,
or {'open', now, version, run, policy, starts, errors, first span}.
If the result is 'suspect', nothing is written. The first span is the trace span of the task's first job delivery, or ''
if this is the first job delivery. Run and policy are '' if the caller knows the current version.
]]
local task = ARGV[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local held = redis.call('HMGET', KEYS[1], 'version', 'open', 'starts:' .. task, 'errors:' .. task, 'fence:' .. task)
if not held[1] then return { 'gone', now } end
local open = string.find(held[2], ' ' .. task .. ' ', 1, true)
local starts = tonumber(held[3] or 0)
if open and held[5] ~= ARGV[2] then
  if starts > 0 and ARGV[3] ~= '1' then return { 'suspect', now, starts } end
  starts = starts + 1
  redis.call('HSET', KEYS[1], 'fence:' .. task, ARGV[2], 'starts:' .. task, starts)
end
local run = { '', '' }
if held[1] ~= ARGV[4] then run = redis.call('HMGET', KEYS[1], 'run', 'policy') end
if not open then return { 'closed', now, held[1], run[1], run[2] } end
local first = ''
if ARGV[5] ~= '' and redis.call('HSETNX', KEYS[1], 'first:' .. task, ARGV[5]) == 0 then first = redis.call('HGET', KEYS[1], 'first:' .. task) end
if first == ARGV[5] then first = '' end
return { 'open', now, held[1], run[1], run[2], starts, tonumber(held[4] or 0), first }
