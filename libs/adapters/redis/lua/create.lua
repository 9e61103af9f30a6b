--[[
Stores a new run, once.
KEYS[1] run:{id}:state   KEYS[2] run:{id}:ledger   KEYS[3] run:{id}:evidence   KEYS[4] run:{id}:draft
ARGV[1] version   ARGV[2] run as text   ARGV[3] open task ids, space-delimited   ARGV[4] status
ARGV[5] hash of the ask's body   ARGV[6] when the run stops mattering (ms)   ARGV[7] retention (ms)   ARGV[8...] events as JSON
Returns {'created'}, {'exists', run} for the same body, {'conflict'} for another body.
]]
local held = redis.call('HMGET', KEYS[1], 'body', 'run')
if held[2] then
  if held[1] == ARGV[5] then return { 'exists', held[2] } end
  return { 'conflict' }
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local expiry = math.max(tonumber(ARGV[6]), now) + tonumber(ARGV[7])
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'run', ARGV[2], 'open', ARGV[3], 'status', ARGV[4], 'body', ARGV[5],
  'retention', ARGV[7])
redis.call('PEXPIREAT', KEYS[1], expiry)
-- What is left of a run whose state was lost must not mix with this one.
redis.call('DEL', KEYS[2], KEYS[3], KEYS[4])
for i = 8, #ARGV do redis.call('XADD', KEYS[2], '*', 'e', ARGV[i]) end
redis.call('PEXPIREAT', KEYS[2], expiry)
return { 'created' }
