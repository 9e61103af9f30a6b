--[[
Adds numbers of events to the counts of a minute and of its hour, and records abandoned tasks.
KEYS[1] the minute   KEYS[2] the hour   KEYS[3] the list of abandoned tasks
ARGV[1] and ARGV[2] time after which the minute and the hour expire (ms)
ARGV[3] and ARGV[4] maximum number of rows of the minute and of the hour
ARGV[5] maximum number of entries of the list   ARGV[6] time after which the list expires (ms)   ARGV[7] number of rows
then for each row: the name, the name of the row to use instead if the maximum is reached, the counts as a JSON object
then the abandoned tasks, as JSON, oldest first
]]
local function add(key, most, row, instead, counts)
  if redis.call('HEXISTS', key, row) == 0 and redis.call('HLEN', key) >= most then row = instead end
  local held = redis.call('HGET', key, row)
  local sums = held and cjson.decode(held) or {}
  for name, count in pairs(counts) do sums[name] = (sums[name] or 0) + count end
  redis.call('HSET', key, row, cjson.encode(sums))
end

local last = 7 + 3 * tonumber(ARGV[7])
for i = 8, last, 3 do
  local counts = cjson.decode(ARGV[i + 2])
  add(KEYS[1], tonumber(ARGV[3]), ARGV[i], ARGV[i + 1], counts)
  add(KEYS[2], tonumber(ARGV[4]), ARGV[i], ARGV[i + 1], counts)
end
if last > 7 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  redis.call('PEXPIRE', KEYS[2], ARGV[2])
end
if #ARGV > last then
  for i = last + 1, #ARGV do redis.call('LPUSH', KEYS[3], ARGV[i]) end
  redis.call('LTRIM', KEYS[3], 0, tonumber(ARGV[5]) - 1)
  redis.call('PEXPIRE', KEYS[3], ARGV[6])
end
