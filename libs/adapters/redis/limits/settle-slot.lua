--[[
Corrects the number of tokens in a slot (a short part of the last minute), or pauses a provider. Ignores expired slots.
KEYS[1] bucket:{<provider:model>}:minute
ARGV[1] 't<slot>' or 'until'   ARGV[2] the difference in tokens, or the end of the pause (ms)
Returns nothing.
]]
if ARGV[1] ~= 'until' then
  if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then redis.call('HINCRBY', KEYS[1], ARGV[1], ARGV[2]) end
  return
end
local paused = tonumber(redis.call('HGET', KEYS[1], 'until') or 0)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if tonumber(ARGV[2]) <= math.max(paused, now) then return end
redis.call('HSET', KEYS[1], 'until', ARGV[2])
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) - now then redis.call('PEXPIREAT', KEYS[1], ARGV[2]) end
