--[[
Reads the size of a BullMQ queue and the age of its oldest waiting job. The current time comes from the clock of Redis.
KEYS[1] wait   KEYS[2] prioritized   KEYS[3] active   KEYS[4] delayed   KEYS[5] meta
ARGV[1] the queue's key prefix   ARGV[2] how many jobs at the front of the queue to check for the oldest job
Returns six numbers: waiting jobs, active jobs, delayed jobs, due delayed jobs, 1 if the queue is paused (else 0), and
the age of the oldest waiting job (ms), or -1 if no job waits.
The age of a delayed job is the time since the job became due. The score of a delayed job contains its due time (ms)
and, in the lowest twelve bits, a number that orders jobs with the same due time.
]]
local wait, prioritized, active, delayed, meta = unpack(KEYS)
local prefix, most = ARGV[1], tonumber(ARGV[2])
local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)

local since
local function waitsSince(at)
  if at then since = math.min(since or at, at) end
end
for _, id in ipairs(redis.call('LRANGE', wait, -most, -1)) do waitsSince(tonumber(redis.call('HGET', prefix .. id, 'timestamp'))) end
for _, id in ipairs(redis.call('ZRANGE', prioritized, 0, most - 1)) do
  waitsSince(tonumber(redis.call('HGET', prefix .. id, 'timestamp')))
end
local due = redis.call('ZCOUNT', delayed, '-inf', string.format('%.0f', (now + 1) * 0x1000 - 1))
if due > 0 then waitsSince(math.floor(tonumber(redis.call('ZRANGE', delayed, 0, 0, 'WITHSCORES')[2]) / 0x1000)) end

return {
  redis.call('LLEN', wait) + redis.call('ZCARD', prioritized),
  redis.call('LLEN', active),
  redis.call('ZCARD', delayed),
  due,
  redis.call('HEXISTS', meta, 'paused'),
  since and math.max(0, now - since) or -1,
}
