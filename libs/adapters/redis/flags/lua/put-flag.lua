--[[
Adds an open flag (a report of a bad answer), or marks an open flag as fixed. A fixed flag cannot be opened again.
KEYS[1] flags:{tenant}:rows   KEYS[2] flags:{tenant}:open   KEYS[3] flags:{tenant}:fixed
ARGV[1] id   ARGV[2] time (ms)   ARGV[3] the flag as JSON   ARGV[4] 'open' or 'fixed'
ARGV[5] time after which flags expire (ms)   ARGV[6] the channel for changes of the review desk
Returns 1, or 0 if the flag is already fixed, or if there is no open flag to mark as fixed.
]]
local id = ARGV[1]
if redis.call('ZSCORE', KEYS[3], id) then return 0 end
if ARGV[4] == 'fixed' then
  if redis.call('ZREM', KEYS[2], id) == 0 then return 0 end
  redis.call('ZADD', KEYS[3], ARGV[2], id)
else
  redis.call('ZADD', KEYS[2], ARGV[2], id)
end
redis.call('HSET', KEYS[1], id, ARGV[3])
for at = 2, 3 do
  local gone = redis.call('ZRANGEBYSCORE', KEYS[at], '-inf', string.format('%.0f', ARGV[2] - ARGV[5]), 'LIMIT', 0, 100)
  if #gone > 0 then
    redis.call('ZREM', KEYS[at], unpack(gone))
    redis.call('HDEL', KEYS[1], unpack(gone))
  end
end
for at = 1, 3 do redis.call('PEXPIRE', KEYS[at], ARGV[5]) end
redis.call('PUBLISH', ARGV[6], '')
return 1
