# A build: bursts of output with pauses and work between them.
for i in 1 2 3 4; do
  echo "compiling unit $i"
  python3 -c 'sum(i*i for i in range(3000000))'
  sleep 0.6
done
echo BUILT
