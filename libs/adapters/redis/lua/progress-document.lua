--[[
Writes how far the indexing of a document is. A document that was removed is not brought back.
KEYS[1] catalog:{id}:document   KEYS[2] catalog:{id}:source
ARGV[1] status   ARGV[2] passages   ARGV[3] percent   ARGV[4] error, or ''   ARGV[5] now (ms)
Returns 1, or 0 when there is no such document.
]]
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'status', ARGV[1], 'passages', ARGV[2], 'percent', ARGV[3], 'updatedAt', ARGV[5])
if ARGV[4] == '' then redis.call('HDEL', KEYS[1], 'error') else redis.call('HSET', KEYS[1], 'error', ARGV[4]) end
-- The index holds the text from now on.
if ARGV[1] == 'indexed' then redis.call('DEL', KEYS[2]) end
return 1
