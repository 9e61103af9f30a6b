--[[
Removes a case. An empty text stays under the key until it expires, so that the run does not store the case again.
KEYS[1] case:{tenant}:id   KEYS[2] cases:{tenant}:list   KEYS[3] cases:{tenant}:rows
ARGV[1] id
Returns 1, or 0 if there is no such case.
]]
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('HDEL', KEYS[3], ARGV[1])
if redis.call('STRLEN', KEYS[1]) == 0 then return 0 end
redis.call('SET', KEYS[1], '', 'KEEPTTL')
return 1
