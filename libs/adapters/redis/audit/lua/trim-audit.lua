--[[
Removes the beginning of a tenant's audit log, up to and including one entry. The hash of that entry is stored as the
anchor, because the first remaining entry refers to this hash.
KEYS[1] audit:{tenant}:log   KEYS[2] audit:{tenant}:ends
ARGV[1] seq of the last entry to remove   ARGV[2] hash of this entry
Returns the number of removed entries.
]]
if tonumber(redis.call('HGET', KEYS[2], 'anchorSeq') or 0) >= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[2], 'anchorSeq', ARGV[1], 'anchorHash', ARGV[2])
return redis.call('XTRIM', KEYS[1], 'MINID', (tonumber(ARGV[1]) + 1) .. '-0')
