--[[
Appends entries to a tenant's audit log, and removes the records of the begun actions. Appends nothing if another
process has appended entries since the caller read the end of the log.
KEYS[1] audit:{tenant}:log   KEYS[2] audit:{tenant}:ends   KEYS[3] audit:{tenant}:begun
ARGV[1] the hash of the last entry that the caller read, or '' for an empty log
ARGV[2] the time after which the log expires (ms), or 0 if the log never expires   ARGV[3] time (ms) of these entries
ARGV[4] and following, four for each entry: seq   the entry as JSON   its hash   the id of its begun action
Returns 1, or 0 if another process has appended entries.
]]
local last = redis.call('HGET', KEYS[2], 'hash') or ''
if last ~= ARGV[1] then return 0 end
-- All entries have expired, so the last known hash becomes the anchor, which is the hash that the next entry refers to.
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
