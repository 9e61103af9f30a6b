--[[
Queues a document again, so that its stored text is indexed again. A document in progress is indexed again after its
current import ends.
KEYS[1] catalog:{id}:document
ARGV[1] required status: 'failed', 'indexed' (or in progress), or '' for any   ARGV[2] new version, or ''
ARGV[3] now (ms)
Publishes a message on the channel with the name of KEYS[1].
Returns the revision to queue, or nil if there is nothing to do.
]]
local held = redis.call('HMGET', KEYS[1], 'status', 'revision')
if not held[2] then return nil end
local underWay = held[1] == 'queued' or held[1] == 'processing'
if ARGV[1] == 'failed' and held[1] ~= 'failed' then return nil end
-- The version that questions find must be written again even if its content is unchanged. It may be split into
-- different passages, or an older job delivery may have written it.
if ARGV[1] ~= 'failed' then redis.call('HDEL', KEYS[1], 'servedVersion') end
if ARGV[1] == 'indexed' and held[1] == 'failed' then return nil end
if ARGV[2] ~= '' then redis.call('HSET', KEYS[1], 'version', ARGV[2]) end
if underWay then
  redis.call('HSET', KEYS[1], 'again', 1)
else
  redis.call('HSET', KEYS[1], 'status', 'queued', 'percent', 0, 'starts', 0, 'errors', 0, 'updatedAt', ARGV[3])
  redis.call('HDEL', KEYS[1], 'error', 'problem', 'task', 'fence')
end
redis.call('PUBLISH', KEYS[1], '')
return held[2]
