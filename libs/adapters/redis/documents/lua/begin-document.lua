--[[
Makes this job delivery the owner of a document revision, and counts one start. A job delivery is one attempt to process
a document. Later writes of the previous job delivery are rejected.
KEYS[1] catalog:{id}:document
ARGV[1] revision   ARGV[2] fence (a token of this job delivery)   ARGV[3] now (ms)
ARGV[4] '1' if the caller runs in isolation
Returns {'open', field, value, …}. If the script writes nothing, returns {'gone'}, {'stale'} if the document has another
revision, {'closed'} if the document is neither queued nor processing, or {'suspect'} if an earlier job delivery never
reported its end and the caller is not isolated.
]]
local held = redis.call('HMGET', KEYS[1], 'status', 'revision', 'starts')
if not held[1] then return { 'gone' } end
if held[2] ~= ARGV[1] then return { 'stale' } end
if held[1] ~= 'queued' and held[1] ~= 'processing' then return { 'closed' } end
if tonumber(held[3] or 0) > 0 and ARGV[4] ~= '1' then return { 'suspect' } end
redis.call('HINCRBY', KEYS[1], 'starts', 1)
redis.call('HSET', KEYS[1], 'fence', ARGV[2], 'status', 'processing', 'updatedAt', ARGV[3])
redis.call('HDEL', KEYS[1], 'again', 'vectors')
local all = redis.call('HGETALL', KEYS[1])
table.insert(all, 1, 'open')
return all
