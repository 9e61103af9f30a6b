--[[
Stores the title and headings of a document, for the description of the collection. Stores nothing if the document
was removed, or if the maximum number of documents is reached. For a document with access tags, stores only the tags.
KEYS[1] catalog:{<tenant>}:documents:<collection>   KEYS[2] catalog:{<tenant>}:headings:<collection>
KEYS[3] catalog:{<tenant>}:tagged:<collection>
ARGV[1] document id   ARGV[2] its title and headings as JSON   ARGV[3] maximum number of documents
ARGV[4] its access tags as JSON, or '' if it has no access tags
Returns 1, or 0 if the headings were not stored.
]]
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end
if ARGV[4] ~= '' then
  redis.call('HDEL', KEYS[2], ARGV[1])
  redis.call('HSET', KEYS[3], ARGV[1], ARGV[4])
  return 0
end
redis.call('HDEL', KEYS[3], ARGV[1])
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 0 and redis.call('HLEN', KEYS[2]) >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return 1
