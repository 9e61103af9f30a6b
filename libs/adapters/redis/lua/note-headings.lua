--[[
Notes what a collection is described by of a document, unless the document is removed by now or enough others are noted.
KEYS[1] catalog:{<tenant>}:documents:<collection>   KEYS[2] catalog:{<tenant>}:headings:<collection>
ARGV[1] document id   ARGV[2] its title and headings as JSON   ARGV[3] how many documents may be noted
Returns 1, or 0 when it is not noted.
]]
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 0 and redis.call('HLEN', KEYS[2]) >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return 1
