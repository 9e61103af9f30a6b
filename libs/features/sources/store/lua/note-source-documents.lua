--[[
Stores which documents belong to a source. Only the run that has the lease of the source is allowed to do this.
KEYS[1] sources:{<tenant>}:lease:<name>   KEYS[2] sources:{<tenant>}:documents:<name>
ARGV[1] token of the run   then pairs: path, document as JSON, or '' to remove the document
Returns 1, or 0 if another run has the lease (nothing written).
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
for at = 2, #ARGV, 2 do
  if ARGV[at + 1] == '' then
    redis.call('HDEL', KEYS[2], ARGV[at])
  else
    redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 1])
  end
end
return 1
