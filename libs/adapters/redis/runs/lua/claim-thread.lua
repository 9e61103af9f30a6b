--[[
Makes a run the last one of its thread, unless the thread has changed since the caller read it. All keys belong to one
tenant and are therefore in the same slot.
KEYS[1] thread:{tenant}:hash   KEYS[2] thread-runs:{tenant}:hash   KEYS[3] thread-about:{tenant}:hash
KEYS[4] threads:{tenant}
ARGV[1] the value of KEYS[1] that the caller read, or '' for none   ARGV[2] the new value of KEYS[1], or '' for none
ARGV[3] time after which the keys expire (ms)   ARGV[4] the run's row in the thread, or '' to remove the last run
ARGV[5] maximum number of listed runs
ARGV[6] the thread's hash   ARGV[7] the thread's id   ARGV[8] now (ms)
Returns 1, or 0 if the thread has changed since the caller read it.
]]
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
if ARGV[2] == '' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
end
if ARGV[4] == '' then
  redis.call('RPOP', KEYS[2])
  if redis.call('EXISTS', KEYS[2]) == 0 then
    redis.call('DEL', KEYS[3])
    redis.call('ZREM', KEYS[4], ARGV[6])
  end
  return 1
end
redis.call('RPUSH', KEYS[2], ARGV[4])
redis.call('LTRIM', KEYS[2], -ARGV[5], -1)
redis.call('HSET', KEYS[3], 'id', ARGV[7])
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', ARGV[8] - ARGV[3])
redis.call('ZADD', KEYS[4], ARGV[8], ARGV[6])
for i = 2, 4 do redis.call('PEXPIRE', KEYS[i], ARGV[3]) end
return 1
