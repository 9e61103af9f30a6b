--[[
Commits one state change of a run, if no other commit came first and this job delivery still owns its task.
KEYS[1] run:{id}:state   KEYS[2] run:{id}:ledger   KEYS[3] run:{id}:evidence
KEYS[4] asks:{tenant}:unfinished if the run has ended or is parked (waits for a review), otherwise KEYS[1] again. On a
cluster, KEYS[4] is always KEYS[1], because asks:{tenant}:unfinished is in another slot.
ARGV[1] task id, or '' for a commit without a task   ARGV[2] fence (the token of this job delivery)
ARGV[3] version on which the commit is based   ARGV[4] new version   ARGV[5] run as text
ARGV[6] open task ids, space-delimited   ARGV[7] status   ARGV[8] the time (ms) after which the retention begins
ARGV[9] run id   ARGV[10] channel of closed tasks   ARGV[11] time after which the commit is rejected (ms), or ''
ARGV[12] channel of the review desk that lists the run, or ''
ARGV[13] number of events n   ARGV[14 ... 13+n] events as JSON   then pairs: passage id, passage as JSON
Publishes a message on the channel with the name of KEYS[2]. If other job deliveries may still work on tasks that this
commit closes, publishes '<run id> <task id> ...' on the channel of closed tasks.
Returns {'moved', the tasks that were open before}, {'moved'} if this commit was stored already, {'gone'},
{'lost'} if no job delivery owns the task, {'fenced'} if another job delivery owns the task, {'raced'} if the
version differs, or {'late'} if the time in ARGV[11] has passed.
The fence is checked before the version, because a job delivery that lost its task must stop or begin again, even if the
version differs too.
]]
local task = ARGV[1]
local held = redis.call('HMGET', KEYS[1], 'version', 'open', 'fence:' .. task, 'retention', 'expiry')
if not held[1] then return { 'gone' } end
if held[1] == ARGV[4] then return { 'moved' } end
if task ~= '' then
  if not held[3] then return { 'lost' } end
  if held[3] ~= ARGV[2] then return { 'fenced' } end
end
if held[1] ~= ARGV[3] then return { 'raced' } end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[11] ~= '' and now >= tonumber(ARGV[11]) then return { 'late' } end
local ended = ARGV[6] == ' '
if held[2] == ' ' and not ended then return redis.error_reply('ERR a run that has ended cannot move') end

local expiry = math.max(tonumber(ARGV[8]), now) + tonumber(held[4])
local expiryText = string.format('%.0f', expiry)
redis.call('HSET', KEYS[1], 'version', ARGV[4], 'run', ARGV[5], 'open', ARGV[6], 'status', ARGV[7], 'expiry', expiryText)
-- The text of a run that has ended contains its policy, so the separate policy is removed.
if ended then redis.call('HDEL', KEYS[1], 'policy') end
if KEYS[4] ~= KEYS[1] then redis.call('ZREM', KEYS[4], ARGV[9]) end
local interrupted = ''
for closed in string.gmatch(held[2], '%S+') do
  if not string.find(ARGV[6], ' ' .. closed .. ' ', 1, true) then
    -- A job delivery that started and never reported its end may still work on the task.
    local starts = tonumber(redis.call('HGET', KEYS[1], 'starts:' .. closed) or 0)
    if starts > (closed == task and 1 or 0) then interrupted = interrupted .. ' ' .. closed end
    redis.call('HDEL', KEYS[1], 'fence:' .. closed, 'starts:' .. closed, 'errors:' .. closed, 'erred:' .. closed, 'handed:' .. closed,
      'first:' .. closed)
  end
end
local last = 13 + tonumber(ARGV[13])
for i = 14, last do redis.call('XADD', KEYS[2], '*', 'e', ARGV[i]) end
for i = last + 1, #ARGV, 2 do redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 1]) end

-- If the expiry time is unchanged, existing keys already have this expiry time. Only new keys still need it.
if held[5] ~= expiryText then
  redis.call('PEXPIREAT', KEYS[1], expiry)
  redis.call('PEXPIREAT', KEYS[3], expiry)
end
if held[5] ~= expiryText or redis.call('PTTL', KEYS[2]) < 0 then redis.call('PEXPIREAT', KEYS[2], expiry) end
if #ARGV > last then redis.call('PEXPIREAT', KEYS[3], expiry) end
redis.call('PUBLISH', KEYS[2], '')
if ARGV[12] ~= '' then redis.call('PUBLISH', ARGV[12], '') end
if interrupted ~= '' then redis.call('PUBLISH', ARGV[10], ARGV[9] .. interrupted) end
return { 'moved', held[2] }
