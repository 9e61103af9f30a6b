--[[
Records that the index contains this document revision.
KEYS[1] catalog:{id}:document
ARGV[1] revision   ARGV[2] fence   ARGV[3] passages   ARGV[4] now (ms)
Publishes a message on the channel with the name of KEYS[1].
Returns {'gone'}, {'stale'} if the document has another revision, {'fenced'} if another job delivery owns the
document, {'again'} if the document must be indexed again (the number of starts is then reset), or
{'done', the revision that questions found before, or ''}.
]]
local held = redis.call('HMGET', KEYS[1], 'revision', 'fence', 'again', 'served', 'version')
if not held[1] then return { 'gone' } end
if held[1] ~= ARGV[1] then return { 'stale' } end
if held[2] ~= ARGV[2] then return { 'fenced' } end
if held[3] then
  redis.call('HSET', KEYS[1], 'starts', 0)
  return { 'again' }
end
redis.call('HSET', KEYS[1], 'status', 'indexed', 'passages', ARGV[3], 'percent', 100, 'served', ARGV[1], 'servedVersion', held[5] or '', 'updatedAt', ARGV[4])
redis.call('HDEL', KEYS[1], 'task', 'error', 'problem', 'fence', 'starts', 'errors')
redis.call('PUBLISH', KEYS[1], '')
return { 'done', held[4] or '' }
