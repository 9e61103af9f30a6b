--[[
Appends entries to a tenant's audit log, unless somebody else has since its end was read, and closes what was begun for them.
KEYS[1] audit:{tenant}:log   KEYS[2] audit:{tenant}:ends   KEYS[3] audit:{tenant}:begun
ARGV[1] the hash at the end as it was read ('' where there is none)   ARGV[2] how long entries are kept (ms), or 0
ARGV[3] the time (ms) of these entries   then for each entry: seq, the entry as JSON, its hash, the id under which it was begun
Returns 1, or 0 when the log ends otherwise by now.
]]
local last = redis.call('HGET', KEYS[2], 'hash') or ''
if last ~= ARGV[1] then return 0 end
-- All that was kept has expired: the log goes on from where it ended.
if redis.call('EXISTS', KEYS[1]) == 0 and last ~= '' then
  redis.call('HSET', KEYS[2], 'anchorSeq', redis.call('HGET', KEYS[2], 'seq'), 'anchorHash', last)
end
for i = 4, #ARGV, 4 do
  redis.call('XADD', KEYS[1], ARGV[i] .. '-0', 'entry', ARGV[i + 1])
  redis.call('HSET', KEYS[2], 'seq', ARGV[i], 'hash', ARGV[i + 2], 'at', ARGV[3])
  redis.call('HDEL', KEYS[3], ARGV[i + 3])
end
if ARGV[2] == '0' then
  redis.call('PERSIST', KEYS[1])
else
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 1
