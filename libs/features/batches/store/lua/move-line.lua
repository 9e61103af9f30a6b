--[[
Changes the state of a claimed line, and updates the number of lines per state.
KEYS[1] batches:{tenant}:batch:<id>   KEYS[2] batches:{tenant}:running   KEYS[3] batches:{tenant}:parked
KEYS[4] batches:{tenant}:lines:<lines>   KEYS[5] asks:{tenant}:unfinished
ARGV[1] <id>.<line>   ARGV[2] line   ARGV[3] 'running', 'parked', 'answered', 'failed' or 'cancelled'
ARGV[4] the new line as JSON, or '' for no change   ARGV[5] now (ms); for 'parked', the time of the next check
ARGV[6] expiry (ms)   ARGV[7] the line's run, which is removed from KEYS[5], or '' to remove no run
Returns 1, or 0 if the line has this state already, the line has ended, or the batch is gone.
]]
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('HDEL', KEYS[2], ARGV[1])
  redis.call('ZREM', KEYS[3], ARGV[1])
  return 0
end
local mark = redis.call('HGET', KEYS[2], ARGV[1])
local from = nil
if mark then
  from = mark == '' and 'waiting' or 'running'
elseif redis.call('ZSCORE', KEYS[3], ARGV[1]) then
  from = 'parked'
end
local to = ARGV[3]
if not from or from == to then return 0 end
if from ~= 'waiting' then redis.call('HINCRBY', KEYS[1], from, -1) end
redis.call('HINCRBY', KEYS[1], to, 1)
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
if to == 'running' then
  redis.call('HSET', KEYS[2], ARGV[1], 'asked')
  redis.call('PEXPIRE', KEYS[2], ARGV[6])
elseif to == 'parked' then
  redis.call('ZADD', KEYS[3], ARGV[5], ARGV[1])
  redis.call('PEXPIRE', KEYS[3], ARGV[6])
else
  redis.call('HSETNX', KEYS[1], 'firstEndedAt', ARGV[5])
end
if ARGV[7] ~= '' then redis.call('ZREM', KEYS[5], ARGV[7]) end
if ARGV[4] ~= '' then redis.call('HSET', KEYS[4], ARGV[2], ARGV[4]) end
return 1
