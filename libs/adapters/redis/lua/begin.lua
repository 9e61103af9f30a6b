--[[
Opens one delivery of a task: the newest delivery gets the fence, and its start is counted.
The same delivery asking twice (its connection broke before the answer) is counted once.
KEYS[1] run:{id}:state
ARGV[1] task id   ARGV[2] fence   ARGV[3] '1' when the caller stands in isolation
Returns {'gone', now}, {'closed', now, run, policy}, {'suspect', now, starts} (nothing written),
        or {'open', now, run, policy, version, starts, errors}.
]]
local task = ARGV[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local held = redis.call('HMGET', KEYS[1], 'version', 'run', 'policy', 'open', 'starts:' .. task, 'errors:' .. task, 'fence:' .. task)
if not held[1] then return { 'gone', now } end
if not string.find(held[4], ' ' .. task .. ' ', 1, true) then return { 'closed', now, held[2], held[3] } end
local starts = tonumber(held[5] or 0)
if held[7] ~= ARGV[2] then
  if starts > 0 and ARGV[3] ~= '1' then return { 'suspect', now, starts } end
  starts = starts + 1
  redis.call('HSET', KEYS[1], 'fence:' .. task, ARGV[2], 'starts:' .. task, starts)
end
return { 'open', now, held[2], held[3], held[1], starts, tonumber(held[6] or 0) }
