--[[
Stores the progress of a document, if this job delivery owns the document. Does not restore a removed document.
KEYS[1] catalog:{id}:document
ARGV[1] fence (the token of this job delivery)   ARGV[2] now (ms)   then pairs: field, value
Publishes a message on the channel with the name of KEYS[1].
Returns 1, or 0 if the document is gone or another job delivery owns it.
]]
if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'updatedAt', ARGV[2], unpack(ARGV, 3))
redis.call('PUBLISH', KEYS[1], '')
return 1
