"""Asks on /dev/tty with echo off, whatever standard input is: what sudo and ssh do."""
import getpass
getpass.getpass('[sudo] password for user: ')
