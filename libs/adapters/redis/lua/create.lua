--[[
Stores a new run, once.
KEYS[1] run:{id}:state   KEYS[2] run:{id}:ledger   KEYS[3] run:{id}:evidence   KEYS[4] run:{id}:draft
ARGV[1] version   ARGV[2] run as text   ARGV[3] policy as text   ARGV[4] open task ids, space-delimited   ARGV[5] status
ARGV[6] hash of the ask's body   ARGV[7] when the run stops mattering (ms)   ARGV[8] retention (ms)   ARGV[9...] events as JSON
Returns {'created'}, {'exists', run, policy} for the same body, {'conflict'} for another body.
]]
local held = redis.call('HMGET', KEYS[1], 'body', 'run', 'policy')
if held[2] then
  if held[1] == ARGV[6] then return { 'exists', held[2], held[3] } end
  return { 'conflict' }
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local expiry = math.max(tonumber(ARGV[7]), now) + tonumber(ARGV[8])
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'run', ARGV[2], 'policy', ARGV[3], 'open', ARGV[4], 'status', ARGV[5],
  'body', ARGV[6], 'retention', ARGV[8], 'expiry', string.format('%.0f', expiry))
redis.call('PEXPIREAT', KEYS[1], expiry)
-- What is left of a run whose state was lost must not mix with this one.
redis.call('DEL', KEYS[2], KEYS[3], KEYS[4])
for i = 9, #ARGV do redis.call('XADD', KEYS[2], '*', 'e', ARGV[i]) end
redis.call('PEXPIREAT', KEYS[2], expiry)
return { 'created' }
