--[[
Stores the number of passages with vectors in a document, unless the document was replaced or removed.
KEYS[1] catalog:{id}:document
ARGV[1] the version that has these vectors   ARGV[2] the progress as JSON, or '' once all passages have vectors
Publishes a message on the channel with the name of KEYS[1].
]]
if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return end
if ARGV[2] == '' then
  redis.call('HDEL', KEYS[1], 'vectors')
else
  redis.call('HSET', KEYS[1], 'vectors', ARGV[2])
end
redis.call('PUBLISH', KEYS[1], '')
