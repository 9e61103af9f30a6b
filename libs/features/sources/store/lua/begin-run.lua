--[[
Gives this run the lease of a source if a run was requested, is due or was interrupted, or if the source is being
removed. Every run has a higher number than the run before, so that imports of an earlier run can be rejected.
KEYS[1] sources:{<tenant>}:settings   KEYS[2] sources:{<tenant>}:state:<name>   KEYS[3] sources:{<tenant>}:lease:<name>
ARGV[1] name of the source   ARGV[2] token of this run   ARGV[3] duration of the lease (ms)
Returns {'gone'}, {'taken'} if another run has the lease, {'early', time of the next run or ''}, or
{'open', settings, number of the run, now (ms), the request or '', removal mode, the due time of the run or ''}.
If the source is being removed, the removal mode says what happens to its documents: 'keep' or 'remove'. Otherwise the
removal mode is ''.
]]
local settings = redis.call('HGET', KEYS[1], ARGV[1])
if not settings then return { 'gone' } end
if redis.call('EXISTS', KEYS[3]) == 1 then return { 'taken' } end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local held = redis.call('HMGET', KEYS[2], 'runs', 'next', 'wanted', 'running', 'removing')
local due = held[2] and tonumber(held[2]) <= now
if not (due or held[3] or held[4] or held[5]) then return { 'early', held[2] or '' } end
local run = string.format('%.0f', math.max(now, tonumber(held[1] or 0) + 1))
redis.call('SET', KEYS[3], ARGV[2], 'PX', ARGV[3])
redis.call('HSET', KEYS[2], 'runs', run)
return { 'open', settings, run, now, held[3] or '', held[5] or '', held[2] or '' }
