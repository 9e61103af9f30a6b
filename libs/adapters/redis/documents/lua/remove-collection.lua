--[[
Deletes the settings, description and embedder of a collection, if it has no documents.
KEYS[1] catalog:{<tenant>}:documents:<collection>   KEYS[2] catalog:{<tenant>}:headings:<collection>
KEYS[3] catalog:{<tenant>}:tagged:<collection>   KEYS[4] catalog:{<tenant>}:collections
KEYS[5] catalog:{<tenant>}:embedders   KEYS[6] catalog:{<tenant>}:changes
KEYS[7] catalog:{<tenant>}:headings:<collection>:titles
ARGV[1] the collection's name
Returns 1, or 0 if the collection contains documents (nothing written).
]]
if redis.call('ZCARD', KEYS[1]) > 0 then return 0 end
redis.call('DEL', KEYS[2], KEYS[3], KEYS[7])
redis.call('HDEL', KEYS[4], ARGV[1])
redis.call('HDEL', KEYS[5], ARGV[1])
redis.call('HINCRBY', KEYS[6], ARGV[1], 1)
return 1
