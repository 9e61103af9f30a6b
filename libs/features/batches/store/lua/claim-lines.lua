--[[
Claims the next lines of a batch, within the tenant's limits. The question of a claimed line is always asked, unless the
batch is cancelled: if this process dies, another process asks the question.
KEYS[1] batches:{tenant}:batch:<id>   KEYS[2] batches:{tenant}:running   KEYS[3] batches:{tenant}:pace
ARGV[1] batch id   ARGV[2] limit of lines in progress   ARGV[3] lines per minute, 0 for no limit   ARGV[4] expiry (ms)
Returns the numbers of the claimed lines. The first line of a batch is 1.
]]
local held = redis.call('HMGET', KEYS[1], 'status', 'claimed', 'total')
if held[1] ~= 'running' then return {} end
local claimed, total = tonumber(held[2]), tonumber(held[3])
local free = math.min(total - claimed, tonumber(ARGV[2]) - redis.call('HLEN', KEYS[2]))
local perMinute = tonumber(ARGV[3])
if perMinute > 0 and free > 0 then
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local each = 60000 / perMinute
  -- Each line takes one time slot of `each` ms. `next` is the start of the next unused slot. Unused slots of the last
  -- second can still be used.
  local next = math.max(now - math.max(1000, each), tonumber(redis.call('GET', KEYS[3]) or 0))
  free = math.min(free, math.floor((now - next) / each))
  if free > 0 then redis.call('SET', KEYS[3], string.format('%.3f', next + free * each), 'PX', 120000) end
end
local lines = {}
for line = claimed + 1, claimed + free do
  redis.call('HSET', KEYS[2], ARGV[1] .. '.' .. line, '')
  lines[#lines + 1] = line
end
if #lines > 0 then
  redis.call('HSET', KEYS[1], 'claimed', claimed + #lines)
  redis.call('PEXPIRE', KEYS[2], ARGV[4])
end
return lines
