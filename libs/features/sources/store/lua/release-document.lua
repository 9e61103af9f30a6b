--[[
Releases a document from its source. The document remains as if it had been uploaded.
KEYS[1] catalog:{id}:document
ARGV[1] the source's name   ARGV[2] the document as JSON, without its source
Publishes a message on the channel with the name of KEYS[1].
Returns 1, or 0 if the document is gone, has no source, or belongs to another source.
]]
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'document', ARGV[2])
redis.call('HDEL', KEYS[1], 'owner')
redis.call('PUBLISH', KEYS[1], '')
return 1
