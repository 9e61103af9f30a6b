--[[
Stores a document that waits for indexing. The same id of the same tenant is replaced; another tenant's is never touched.
KEYS[1] catalog:{id}:document   KEYS[2] catalog:{id}:source
ARGV[1] tenant   ARGV[2] document as JSON, without its text   ARGV[3] collection   ARGV[4] source as JSON, with its text
ARGV[5] TTL of the source (ms)   ARGV[6] now (ms)
Returns the collection it stood in before ('' when it is new), or nil when the id is another tenant's.
]]
local held = redis.call('HMGET', KEYS[1], 'tenant', 'collection')
if held[1] and held[1] ~= ARGV[1] then return nil end
redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[5])
redis.call('HSET', KEYS[1], 'tenant', ARGV[1], 'document', ARGV[2], 'collection', ARGV[3], 'status', 'queued',
  'passages', 0, 'percent', 0, 'createdAt', ARGV[6], 'updatedAt', ARGV[6])
redis.call('HDEL', KEYS[1], 'error')
return held[2] or ''
